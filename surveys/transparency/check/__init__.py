"""Checks by outsiders that a site serves all visitors the same page, and that it is the published one."""
