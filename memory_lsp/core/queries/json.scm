(pair key: (string) @name value: (_) @body) @key
