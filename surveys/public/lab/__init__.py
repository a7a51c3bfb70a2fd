"""The lab compares a question without privacy, with a trusted curator, and with local randomization. For everyone."""
