"""Facts about a survey that ethics boards, journals and archives ask for and only its designers know."""

from django.db import models

from surveys.models.survey import Survey


class Disclosure(models.Model):
    """Facts typed in the studio at any time, not part of what is frozen. A field is empty until it is filled in."""

    FIELDS = ("sponsor", "conductor", "contact", "population", "recruitment", "dates", "limitations", "licence")

    survey = models.OneToOneField(Survey, on_delete=models.CASCADE, related_name="disclosure")
    sponsor = models.TextField()  # Who pays for it.
    conductor = models.TextField()  # Who carries it out and is responsible for it.
    contact = models.TextField()  # Whom respondents can ask, about their data too.
    population = models.TextField()  # About whom it shall say something.
    recruitment = models.TextField()  # How people were chosen and asked to take part.
    dates = models.TextField()  # When people were asked.
    limitations = models.TextField()  # What the results cannot show.
    licence = models.TextField()  # Under which terms others may use the data; an address or a name.

    def __str__(self) -> str:
        return f"disclosure of {self.survey}"

    @classmethod
    def of(cls, survey: Survey) -> "Disclosure":
        """Return a survey's disclosure; an empty one, not stored, where nothing has been filled in yet."""
        return cls.objects.filter(survey=survey).first() or cls(survey=survey)
