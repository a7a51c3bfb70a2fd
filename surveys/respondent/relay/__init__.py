"""Oblivious HTTP (RFC 9458): a report comes through a relay, which sees whose it is and not what, to a gateway in the
intake, which sees what it is and not whose."""
