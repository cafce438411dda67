"""The requirements of the deep report (S4-01 to S4-30) and the tests that hold each; this file checks that they exist.

Decisions C15 to C22 stand where they change a requirement. Dollar amounts and durations of S4-25 and S4-26 are no
requirements (C16): what is measured instead is printed by `benchmarks/deep_report.py`.
"""

from __future__ import annotations

import ast
from functools import cache
from pathlib import Path

import pytest

TESTS = Path(__file__).parents[2]
HERE = "features/deep_report"
REPORT, JUDGEMENT, SHOWN = f"{HERE}/test_deep_report.py", f"{HERE}/test_judgement.py", f"{HERE}/test_shown.py"
RUBRIC, WHOLE, HINTS = f"{HERE}/test_rubric.py", f"{HERE}/test_whole_filings.py", f"{HERE}/test_hints.py"
STORE, AGAINST = f"{HERE}/evidence/test_evidence_store.py", f"{HERE}/evidence/test_contradictions.py"
LAYERS, RESUME = f"{HERE}/agents/test_prompting.py", f"{HERE}/test_resume.py"
RETRY = "llm_clients/test_retry.py"
REQUIREMENTS: dict[str, tuple[str, ...]] = {
    # what it is
    "S4-01": (f"{REPORT}::test_the_value_equals_the_kernel_called_by_hand",
              f"{AGAINST}::test_one_matter_is_decided_by_rank_then_by_age",
              f"{JUDGEMENT}::test_confidence_by_hand"),
    "S4-02": (f"{SHOWN}::test_the_narrative_sees_no_rejected_hypothesis_but_all_evidence",
              f"{HERE}/agents/test_thesis_prompts.py::test_the_prompt_of_an_agent"),
    # agents
    "S4-03": (f"{REPORT}::test_five_hypotheses_are_asked_for_again_where_a_model_states_fewer",
              f"{REPORT}::test_a_thesis_that_says_not_what_would_prove_it_wrong_is_asked_for_again"),
    "S4-04": (f"{WHOLE}::test_the_page_around_a_passage_is_read_and_later_rounds_read_further",
              f"{WHOLE}::test_without_a_stored_filing_the_latest_report_is_read_item_by_item",
              f"{JUDGEMENT}::test_two_weak_rounds_exhaust",
              f"{JUDGEMENT}::test_when_research_ends"),
    "S4-05": (f"{JUDGEMENT}::test_checkpoints_take_the_top_two_by_impact_that_are_sure_enough",),
    "S4-06": (f"{SHOWN}::test_a_synthesis_sees_its_own_hypothesis_evidence_and_prior_synthesis",),
    "S4-07": (f"{REPORT}::test_probabilities_that_do_not_add_up_are_asked_for_again",
              f"{JUDGEMENT}::test_checkpoints_take_the_top_two_by_impact_that_are_sure_enough"),  # C16: eight calls
    "S4-08": (f"{SHOWN}::test_the_narrative_sees_no_rejected_hypothesis_but_all_evidence",
              f"{RUBRIC}::test_coverage_counts_sentences_and_takes_no_invented_id"),
    "S4-09": (f"{RUBRIC}::test_below_the_bar_the_first_page_says_so",
              f"{RUBRIC}::test_engagement_asks_that_each_side_names_evidence_of_the_other",
              f"{RUBRIC}::test_an_insight_that_restates_one_item_is_not_new"),
    # loop
    "S4-10": (f"{JUDGEMENT}::test_when_research_ends",),  # C15
    "S4-11": (f"{HERE}/test_side_by_side.py::test_three_hypotheses_are_researched_at_once_and_no_more",),
    "S4-12": (f"{JUDGEMENT}::test_without_a_material_hypothesis_research_ends_at_any_time",
              f"{JUDGEMENT}::test_when_research_ends"),
    # context
    "S4-13": (f"{LAYERS}::test_age_counts_back_from_the_present_iteration",  # C17
              f"{LAYERS}::test_what_each_layer_shows_and_leaves_out",
              f"{LAYERS}::test_the_prompt_stays_flat_once_iterations_are_compressed"),
    "S4-14": (f"{SHOWN}::test_the_generator_sees_no_research",
              f"{SHOWN}::test_research_sees_its_own_hypothesis_with_its_evidence_and_no_debate",
              f"{SHOWN}::test_a_synthesis_sees_its_own_hypothesis_evidence_and_prior_synthesis",
              f"{SHOWN}::test_the_evaluator_sees_the_round_and_the_criteria_and_no_history",
              f"{SHOWN}::test_the_narrative_sees_no_rejected_hypothesis_but_all_evidence"),
    "S4-15": (f"{REPORT}::test_the_files_beside_the_run", f"{RESUME}::test_no_finished_step_is_done_again"),
    # servers
    "S4-16": ("valuation/company/test_capabilities.py::test_the_value_is_the_kernels",
              "valuation/company/test_capabilities.py::test_the_base_cell_of_the_grid_is_the_value",
              "valuation/test_worked_cases.py::test_full_case_year_by_year"),
    "S4-17": (f"{STORE}::test_a_frozen_bundle_is_the_same_for_the_same_items_and_refused_after_one_changed_byte",
              f"{STORE}::test_nothing_known_later_is_recalled_or_frozen",
              f"{STORE}::test_two_processes_append_together"),
    "S4-18": ("capabilities/test_filing_documents.py::test_an_item_is_read_in_parts_that_join_to_the_whole",
              "dataflows/gateway/test_cache.py::test_an_answer_comes_back_as_it_was"),
    "S4-19": (f"{HERE}/test_report_product.py::test_the_json_has_the_documented_shape",
              f"{REPORT}::test_every_item_is_quoted_word_for_word_and_was_known"),
    # resilience
    "S4-20": (f"{RETRY}::test_a_server_that_fails_three_calls_is_left_alone_and_then_probed_once",
              f"{RETRY}::test_only_one_of_many_calls_probes"),
    "S4-21": (f"{RETRY}::test_waits_double_with_chance_and_are_bounded",),  # C21
    "S4-22": (f"{REPORT}::test_a_hypothesis_whose_research_fails_is_uncertain_and_the_others_go_on",
              f"{JUDGEMENT}::test_a_failed_round_leaves_the_depth_and_marks_the_hypothesis_uncertain"),
    "S4-23": ("llm_clients/test_meter.py::test_a_call_begins_only_where_what_it_is_likely_to_cost_fits_in_the_budget",
              "dataflows/gateway/test_limits.py::test_no_window_of_any_rate_holds_more_than_allowed",
              f"{REPORT}::test_a_budget_of_calls_ends_the_research_and_writes_what_there_is",
              f"{JUDGEMENT}::test_budget_levels_leave_out_the_less_important",
              "agents/test_prompts.py::test_no_outside_text_leaves_its_fence_or_poses_as_a_role"),
    "S4-24": ("runtime/observability/test_redaction.py::test_a_key_of_the_environment_is_in_no_part_of_a_record",
              "dataflows/gateway/test_limits.py::test_rates_are_read_as_they_are_written",
              f"{REPORT}::test_evidence_that_does_not_stand_in_its_source_is_asked_again_once_and_then_refused"),
    # numbers
    "S4-25": (f"{HERE}/test_side_by_side.py::test_three_hypotheses_are_researched_at_once_and_no_more",),
    "S4-26": (f"{JUDGEMENT}::test_checkpoints_take_the_top_two_by_impact_that_are_sure_enough",),
    "S4-27": (f"{RUBRIC}::test_below_the_bar_the_first_page_says_so",
              f"{AGAINST}::test_different_matters_both_stand",
              f"{REPORT}::test_the_value_equals_the_kernel_called_by_hand"),
    "S4-28": (f"{RUBRIC}::test_an_insight_that_restates_one_item_is_not_new",
              f"{RUBRIC}::test_coverage_counts_sentences_and_takes_no_invented_id"),
    "S4-29": (f"{HERE}/test_report_product.py::test_the_run_takes_little_room",),
    "S4-30": (f"{HINTS}::test_hints_steer_the_next_round_and_stand_in_the_record",
              "service/tasks/test_deep_report_kind.py::test_a_report_that_asks_takes_hints"),
}  # fmt: skip


@cache
def functions_of(path: str) -> frozenset[str]:
    tree = ast.parse((TESTS / path).read_text("utf-8"))
    return frozenset(node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef))


def test_every_requirement_has_a_test():
    assert list(REQUIREMENTS) == [f"S4-{number:02}" for number in range(1, 31)]
    assert all(REQUIREMENTS.values())


@pytest.mark.parametrize("named", sorted({test for tests in REQUIREMENTS.values() for test in tests}))
def test_the_test_exists(named: str):
    path, _, name = named.partition("::")
    assert name in functions_of(path)
