"""The workbook of a release, made by the worker's own function."""

from django.http import HttpResponse
from django.test import Client

from surveys.models import Workbook
from worker import workbooks


def workbook(client: Client, address: str, **extra) -> HttpResponse:
    """What the address answers once the worker has made what it asked for."""
    response = client.get(address, **extra)
    while response.status_code == 202:
        for pk in list(Workbook.waiting().values_list("pk", flat=True)):
            workbooks.make(pk)
        response = client.get(address, **extra)
    return response
