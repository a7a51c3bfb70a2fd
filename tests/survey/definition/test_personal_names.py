"""A designer is warned if an answer would name a person, and not warned about other options."""

import pytest

from surveys.rules.personal_names import look_like_people
from surveys.survey import definition as definitions

PEOPLE = {
    "a team": [
        "Anna Schmidt",
        "Ben Keller",
        "Carla Hoffmann",
        "David Wagner",
        "Eva Braun",
        "Felix Neumann",
        "Jana Koch",
    ],
    "a list by family names": ["Lovelace, Ada", "Turing, Alan", "Hopper, Grace", "Curie, Marie", "Franklin, Rosalind"],
    "a class": ["Anna", "Ben", "Carlos", "Daniel", "Emma", "Felix", "Hannah", "Jonas", "Lena", "Max"],
    "of several countries": [
        "Fatima al-Sayed",
        "José García",
        "Ahmed Hassan",
        "Yuki Tanaka",
        "Wei Zhang",
        "Zeynep Kaya",
    ],
    "with titles": ["Dr. Peter Müller", "Prof. Maria Rossi", "Frau Helga Weber", "Mr. John Smith", "Ms Priya Patel"],
    "with initials": ["John R. Smith", "Mary Jane Watson", "Robert D. Jones", "Susan Lee", "Paul van Dyke"],
    "with somebody else": ["Anna Schmidt", "Ben Keller", "Julia Vogel", "Tom Frank", "Somebody else", "None of them"],
}
OTHERS = {
    "countries": [
        "Austria",
        "Bolivia",
        "Chad",
        "Denmark",
        "Egypt",
        "Georgia",
        "Jordan",
        "New Zealand",
        "South Africa",
        "Sri Lanka",
        "United Kingdom",
    ],
    "jobs": [
        "Software Engineer",
        "Product Manager",
        "Sales Manager",
        "Data Scientist",
        "Nurse",
        "Teacher",
        "Office Clerk",
    ],
    "products": [
        "Apple iPhone",
        "Samsung Galaxy",
        "Google Pixel",
        "Coca Cola",
        "Ben & Jerry's",
        "Jack Daniel's",
        "Mars",
    ],
    "places": [
        "San Francisco",
        "New York",
        "Saint Louis",
        "Paris",
        "Santa Maria",
        "Charlotte",
        "Los Angeles",
        "Sydney",
    ],
    "a scale": ["Strongly disagree", "Disagree", "Neither", "Agree", "Strongly agree"],
    "parties": ["Die Linke", "SPD", "CDU/CSU", "FDP", "Bündnis 90/Die Grünen", "AfD"],
    "months": ["January", "February", "March", "April", "May", "June", "July", "August"],
    "four people are few": ["Anna Schmidt", "Ben Keller", "Carla Hoffmann", "David Wagner"],
    "German nouns": ["Auto", "Bus und Bahn", "Fahrrad", "Zu Fuß", "Motorrad", "Anderes Mittel"],
    "religions": ["Roman Catholic", "Protestant", "Muslim", "Jewish", "Hindu", "Buddhist", "None"],
}


@pytest.mark.parametrize("name", PEOPLE)
def test_names_of_people_are_noticed(name):
    assert look_like_people(PEOPLE[name])


@pytest.mark.parametrize("name", OTHERS)
def test_other_lists_are_not(name):
    assert not look_like_people(OTHERS[name])


def test_the_warning_names_the_question_and_keeps_nothing_from_opening():
    question = {"key": "boss", "kind": "single_choice", "text": "Whom do you trust?", "alpha": 1}
    built = definitions.build({"title": "x", "questions": [question | {"options": PEOPLE["a team"]}]})
    assert definitions.warnings(built) == [
        "boss: its options look like names of people; an answer then says something about another person"
    ]
