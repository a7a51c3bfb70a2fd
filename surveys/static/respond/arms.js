// Versions of one question, of which the lot decides who is asked which: `arm_of` names the first of them. Each stands in
// a form of its own and has the same kind and as many answers, so that their numbers can be compared place by place.
// surveys/definition/arms.py has the same rules.

const EQUAL = ["kind", "prefer_not_to_say", "edges", "low", "high", "unit", "asked_if", "filler"];
const COUNTED = ["options", "items"];

export function armFields(question) {
  return isArm(question) ? ["arm_of"] : [];
}

export function isArm(question) {
  return "arm_of" in question;
}

// Whether all versions of these well-formed questions fit together, and no question depends on one of them.
export function armsFit({ questions, forms = [] }) {
  const others = questions.filter(isArm);
  const keys = others.flatMap(({ key, arm_of: first }) => [key, first]);
  return others.every((arm) => isLike(arm, questions.find(({ key }) => key === arm.arm_of)) && inOwnForm(arm, others, forms)) &&
    questions.every(({ asked_if: rule }) => !rule || !keys.includes(rule.question));
}

function isLike(arm, first) {
  return first !== undefined && first !== arm && !isArm(first) && likeness(arm) === likeness(first);
}

// The text of what must be the same; parsed from canonical bytes, so that equal data have equal texts.
function likeness(question) {
  return JSON.stringify([EQUAL.map((name) => question[name]), COUNTED.map((name) => question[name]?.length)]);
}

function inOwnForm({ key, arm_of: first }, others, forms) {
  const family = [first, ...others.filter((each) => each.arm_of === first).map((each) => each.key)];
  const homes = family.map((name) => forms.findIndex(({ questions }) => questions.includes(name)));
  const own = homes[family.indexOf(key)];
  return !homes.includes(-1) && homes.filter((home) => home === own).length === 1;
}
