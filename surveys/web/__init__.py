"""Parts that every page needs: headers, policies, languages, parts of pages, compression, the gate."""
