"""Everything for respondents: the page, the intake of reports, invitations and the relay."""
