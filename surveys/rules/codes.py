"""The rules by name. A code is stable: programs and pages know a rule by it, whatever its sentence becomes.

Whoever adds one adds a draft that breaks it to tests/support/refused.py, which is walked through the studio.
"""

from typing import Literal

Code = Literal[
    # Of any field.
    "missing",
    "unknown_field",
    "not_an_object",
    "text_length",
    "invisible_text",
    "control_characters",
    "noncharacters",
    "turned_direction",
    "stacked_marks",
    "blank_lines",
    "list_length",
    "repeated",
    "lookalikes",
    "number_format",
    "not_a_flag",
    # Of the survey, its sections and languages.
    "question_count",
    "repeated_key",
    "section_count",
    "section_order",
    "empty_section",
    "estimate_cost",
    "table_cost",
    "language_tag",
    "translation_count",
    "translation_tags",
    "own_language",
    "translation_parts",
    "translation_lines",
    "surplus_text",
    # Of a question.
    "key_format",
    "unknown_kind",
    "category_count",
    "no_refusing",
    "refusing_option",
    "edge_order",
    "scale_order",
    "alpha_format",
    "alpha_range",
    "unknown_mechanism",
    "mechanism_categories",
    "mechanism_noise",
    "delta_missing",
    "delta_surplus",
    "delta_format",
    "delta_range",
    "sample_range",
    # Of whom it is asked.
    "condition_missing",
    "condition_form",
    "condition_key",
    "condition_options",
    "condition_order",
    "condition_kind",
    "condition_range",
    "condition_for_all",
    "filler_missing",
    "filler_answer",
    "filler_range",
    # Of opening.
    "batch_size",
    # Of files (design/files).
    "file_encoding",
    "file_syntax",
    "more_mistakes",
    "not_a_text",
    "not_a_whole_number",
    "list_size",
]
