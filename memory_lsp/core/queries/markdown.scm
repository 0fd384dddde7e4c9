(section . (atx_heading heading_content: (inline) @name) (_)* @body) @heading
