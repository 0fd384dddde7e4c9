(function_declaration name: [(identifier) (dot_index_expression) (method_index_expression)] @name) @function
(assignment_statement (variable_list name: [(identifier) (dot_index_expression)] @name)) @constant
(field name: (identifier) @name) @field
