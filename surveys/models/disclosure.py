"""What only its people know of a survey, and ethics boards, journals and archives ask for."""

from django.db import models

from surveys.models.survey import Survey


class Disclosure(models.Model):
    """Typed in the studio, at any time, and no part of what is frozen. A field is empty until somebody has said it."""

    FIELDS = ("sponsor", "conductor", "contact", "population", "recruitment", "dates", "limitations", "licence")

    survey = models.OneToOneField(Survey, on_delete=models.CASCADE, related_name="disclosure")
    sponsor = models.TextField(blank=True, help_text="Who pays for it.")
    conductor = models.TextField(blank=True, help_text="Who carries it out and is responsible for it.")
    contact = models.TextField(blank=True, help_text="Whom respondents can ask, about their data too.")
    population = models.TextField(blank=True, help_text="About whom it shall say something.")
    recruitment = models.TextField(blank=True, help_text="How people were chosen and asked to take part.")
    dates = models.TextField(blank=True, help_text="When people were asked.")
    limitations = models.TextField(blank=True, help_text="What the results cannot tell.")
    licence = models.TextField(blank=True, help_text="Under which terms others may use the data; an address or a name.")

    def __str__(self) -> str:
        return f"disclosure of {self.survey}"

    @classmethod
    def of(cls, survey: Survey) -> "Disclosure":
        """As it stands; all empty, and not stored, where nobody has said anything yet."""
        return cls.objects.filter(survey=survey).first() or cls(survey=survey)
