"""The workbook of a release, made by the worker's function."""

from django.http import HttpResponse
from django.test import Client

from surveys.models import Workbook
from worker import workbooks


def workbook(client: Client, address: str, **extra) -> HttpResponse:
    """Request a URL, make the requested workbook as the worker does, and return the answer."""
    response = client.get(address, **extra)
    while response.status_code == 202:
        for pk in list(Workbook.waiting().values_list("pk", flat=True)):
            workbooks.make(pk)
        response = client.get(address, **extra)
    return response
