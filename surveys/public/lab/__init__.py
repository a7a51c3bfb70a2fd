"""The lab: the same question without privacy, with a trusted curator, and locally; for everyone."""
