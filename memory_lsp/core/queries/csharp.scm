(class_declaration name: (identifier) @name) @class
(struct_declaration name: (identifier) @name) @struct
(record_declaration name: (identifier) @name) @class
(record_declaration (parameter_list (parameter name: (identifier) @name) @field))
(interface_declaration name: (identifier) @name) @interface
(enum_declaration name: (identifier) @name) @enum
(enum_member_declaration name: (identifier) @name) @variant
(delegate_declaration name: (identifier) @name) @type
(method_declaration name: (identifier) @name) @method
(constructor_declaration name: (identifier) @name) @method
(destructor_declaration name: (identifier) @name) @method
(operator_declaration) @method
(conversion_operator_declaration type: [(identifier) (predefined_type) (nullable_type) (generic_name) (array_type) (qualified_name)] @name) @method
(indexer_declaration) @property
(property_declaration name: (identifier) @name) @property
(event_declaration name: (identifier) @name) @property
(event_field_declaration (variable_declaration (variable_declarator name: (identifier) @name) @field))
(field_declaration (variable_declaration (variable_declarator name: (identifier) @name) @field))
(local_function_statement name: (identifier) @name) @function
