"""Facts about a survey that only its designers know, for ethics boards, journals and archives."""

from django.db import models

from surveys.models.survey import Survey


class Disclosure(models.Model):
    """Facts typed in the studio at any time, not frozen. A field is empty until it is filled in."""

    FIELDS = ("sponsor", "conductor", "contact", "population", "recruitment", "dates", "limitations", "licence")

    survey = models.OneToOneField(Survey, on_delete=models.CASCADE, related_name="disclosure")
    sponsor = models.TextField()  # Who pays.
    conductor = models.TextField()  # Who carries the survey out and is responsible.
    contact = models.TextField()  # Whom respondents can ask, also about their data.
    population = models.TextField()  # The population that results are about.
    recruitment = models.TextField()  # How people were chosen and asked to take part.
    dates = models.TextField()  # When people were asked.
    limitations = models.TextField()  # What the results cannot show.
    licence = models.TextField()  # The terms of use of the data: a URL or a name.

    def __str__(self) -> str:
        return f"disclosure of {self.survey}"

    @classmethod
    def of(cls, survey: Survey) -> "Disclosure":
        """Return a survey's disclosure, or a new empty one, which is not stored."""
        return cls.objects.filter(survey=survey).first() or cls(survey=survey)
