"""The Django site: pages, stored data and operation."""

__version__ = "0.1.0"

# Where users ask and report holes: an email address or a page. The owner fills it in here, in README.md and in
# SECURITY.md.
CONTACT = ""
