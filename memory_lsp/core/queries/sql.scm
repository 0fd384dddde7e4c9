(statement (select (select_expression . (term value: (field) @name)))) @object
(statement (create_table (object_reference) @name (column_definitions) @body)) @table
(statement (create_view (object_reference) @name (create_query) @body)) @view
(statement (create_materialized_view (object_reference) @name (create_query) @body)) @view
(column_definition name: [(identifier) (literal)] @name) @field
