"""The life of a survey: opening and closing, dates, publication, archiving, new versions, waves, deletion."""
