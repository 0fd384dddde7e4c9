(function_declaration name: (identifier) @name) @function
(method_declaration receiver: (parameter_list (parameter_declaration type: [(type_identifier) @owner (pointer_type (type_identifier) @owner) (generic_type type: (type_identifier) @owner) (pointer_type (generic_type type: (type_identifier) @owner)) (parenthesized_type (type_identifier) @owner) (parenthesized_type (pointer_type (type_identifier) @owner)) (parenthesized_type (pointer_type (generic_type type: (type_identifier) @owner)))])) name: (field_identifier) @name) @method
(type_spec name: (type_identifier) @name type: [(struct_type (field_declaration_list) @body) (parenthesized_type (struct_type (field_declaration_list) @body))]) @struct
(type_spec name: (type_identifier) @name type: [(interface_type) @body (parenthesized_type (interface_type) @body)]) @interface
(type_spec name: (type_identifier) @name type: (_) @body) @type
(type_alias name: (type_identifier) @name type: (_) @body) @type
(field_declaration name: (field_identifier) @name) @field
(field_declaration !name type: [(type_identifier) @name (qualified_type name: (type_identifier) @name) (generic_type type: (type_identifier) @name)]) @field
(method_elem name: (field_identifier) @name) @method
(source_file (const_declaration (const_spec name: (identifier) @name) @constant))
(source_file (var_declaration (var_spec name: (identifier) @name) @variable))
(source_file (var_declaration (var_spec_list (var_spec name: (identifier) @name) @variable)))
(short_var_declaration left: (expression_list . (identifier) @name .) right: (expression_list . [(func_literal) @body (parenthesized_expression (func_literal) @body)] .)) @function
