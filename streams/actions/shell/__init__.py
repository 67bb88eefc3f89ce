"""Shell lines: parsed with a grammar into simple commands, with what surrounds each (pipes, lists, redirects, folders)."""
