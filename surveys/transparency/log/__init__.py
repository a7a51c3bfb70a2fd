"""The public log of what this site serves, by the specifications of C2SP: a Merkle tree (RFC 6962), signed checkpoints,
tiles, witnesses' cosignatures. `surveys/transparency/check/verify.py` checks it with code of its own."""
