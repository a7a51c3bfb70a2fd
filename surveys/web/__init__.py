"""Parts that every page needs: headers, policies, languages, fragments, compression, the gate."""
