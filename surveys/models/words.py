"""A column for one of several words."""

from typing import TYPE_CHECKING, Any

from django.db import models

if TYPE_CHECKING:
    Text = models.CharField[str, str]
else:
    Text = models.CharField  # it takes no types at run time


class WordField(Text):
    """A column whose words are not in migrations, because another word changes no table."""

    def deconstruct(self) -> Any:
        name, _path, args, options = super().deconstruct()
        options.pop("choices", None)
        return name, "django.db.models.CharField", args, options
