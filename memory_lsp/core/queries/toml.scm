(table . "[" . [(bare_key) (quoted_key) (dotted_key)] @name "]" [(pair) (comment)]* @body) @table
(table_array_element . "[[" . [(bare_key) (quoted_key) (dotted_key)] @name "]]" [(pair) (comment)]* @body) @key
(pair . [(bare_key) (quoted_key) (dotted_key)] @name "=" (_) @body) @key
