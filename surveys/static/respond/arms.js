// Versions of one question, of which the lot decides who is asked which: `arm_of` names the first of them. Nothing of how
// they are asked or randomized depends on it; that no form has two of them is what the lot is for, and checked here.
// Whether their numbers can be compared is looked at when the survey is made (surveys/definition/arms.py).

export function isArm(question) {
  return "arm_of" in question;
}

// Whether each version names a question that is none itself, and all of one question stand in forms of their own.
export function inOwnForms({ questions, forms = [] }) {
  return questions.filter(isArm).every(({ arm_of: first }) => {
    const versions = questions.filter((each) => each.arm_of === first || (each.key === first && !isArm(each)));
    const homes = versions.map(({ key }) => forms.findIndex((form) => form.questions.includes(key)));
    return !versions.every(isArm) && !homes.includes(-1) && new Set(homes).size === homes.length;
  });
}
