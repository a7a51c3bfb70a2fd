"""The public log of what this site serves, by C2SP: a Merkle tree (RFC 6962), signed checkpoints, tiles, cosignatures.
`surveys/transparency/check/verify.py` checks the log with independent code."""
