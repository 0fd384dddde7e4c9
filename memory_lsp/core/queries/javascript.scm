(class_declaration name: (identifier) @name) @class
(function_declaration name: (identifier) @name) @function
(generator_function_declaration name: (identifier) @name) @function
(class_body (method_definition name: [(property_identifier) (private_property_identifier) (string) (number)] @name) @method)
(class_body (field_definition property: [(property_identifier) (private_property_identifier) (string)] @name) @field)
(variable_declarator name: (identifier) @name value: [(arrow_function) (function_expression) (generator_function) (parenthesized_expression [(arrow_function) (function_expression)])]) @function
(variable_declarator name: (identifier) @name value: (class)) @class
(program (lexical_declaration (variable_declarator name: (identifier) @name) @constant))
(program (variable_declaration (variable_declarator name: (identifier) @name) @constant))
(program (export_statement (lexical_declaration (variable_declarator name: (identifier) @name) @constant)))
(program (export_statement (variable_declaration (variable_declarator name: (identifier) @name) @constant)))
(program (expression_statement (assignment_expression left: (member_expression property: (property_identifier) @name) right: [(arrow_function) (function_expression) (class)]) @function))
(variable_declarator value: (object (pair key: (property_identifier) @name value: [(arrow_function) (function_expression)]) @function))
(variable_declarator value: (object (method_definition name: (property_identifier) @name) @method))
(call_expression function: (identifier) @_call arguments: (arguments . (string) @name . [(arrow_function) (function_expression)]) (#any-of? @_call "describe" "it" "test" "suite" "context")) @test
