"""The colours of the lab's lines, each at least 3:1 on the card; dashes and order in the legend help where colours do
not."""

from surveys.lab.curves.charts import Role

LINES: dict[str, dict[Role, str]] = {
    "light": {
        "none": "#5f6a66",
        "curator": "#3557a8",
        "local": "#0f5c56",
        "fourth": "#a4510b",
        "fifth": "#8a3568",
    },
    "dark": {
        "none": "#adb8b3",
        "curator": "#9db7f5",
        "local": "#86d3c7",
        "fourth": "#f0b06a",
        "fifth": "#e3a0c8",
    },
}
