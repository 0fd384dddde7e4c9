(class_declaration (type_identifier) @name) @class
(object_declaration (type_identifier) @name) @object
(class_parameter (binding_pattern_kind) (simple_identifier) @name) @field
(enum_entry . (simple_identifier) @name) @variant
(enum_entry (modifiers) . (simple_identifier) @name) @variant
(type_alias (type_identifier) @name) @type
(secondary_constructor "constructor" @name) @method
(function_declaration (simple_identifier) @name) @function
(property_declaration (variable_declaration (simple_identifier) @name)) @field
(property_declaration (multi_variable_declaration (variable_declaration (simple_identifier) @name))) @field
