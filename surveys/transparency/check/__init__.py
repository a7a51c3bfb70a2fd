"""Checks for outsiders: the site serves all visitors the same page, and the page is the published one."""
