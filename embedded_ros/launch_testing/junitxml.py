"""Results as JUnit XML."""
import xml.etree.ElementTree as ElementTree

from .test_result import FailResult, SkipResult


def unittestResultsToXml(*, name='launch_test', test_results):
    """Return an ElementTree of test results, {name of a run: result}."""
    root = ElementTree.Element('testsuites', {'name': name})
    total = 0.0
    for run_name, result in test_results.items():
        suite, seconds = unittestResultToXml(str(run_name), result)
        root.append(suite)
        total += seconds
    root.set('time', f'{total:.3f}')
    for count in ('tests', 'failures', 'errors'):
        root.set(count, str(sum(int(suite.get(count)) for suite in root)))
    return ElementTree.ElementTree(root)


def unittestResultToXml(name, result):
    """Return (element testsuite, its seconds) of one result."""
    if isinstance(result, (FailResult, SkipResult)):
        return whole_run_to_xml(name, result), 0.0
    seconds = sum(result.duration(test) for test in result.tests)
    suite = ElementTree.Element('testsuite', {
        'name': name, 'tests': str(len(result.tests)), 'failures': str(len(result.failures)),
        'errors': str(len(result.errors)), 'skipped': str(len(result.skipped)),
        'time': f'{seconds:.3f}'})
    outcomes = {}
    for kind, pairs in (('failure', result.failures), ('error', result.errors),
                        ('skipped', result.skipped)):
        for test, text in pairs:
            outcomes.setdefault(test, []).append((kind, text))
    tests = [*result.tests, *(test for test in outcomes if test not in result.tests)]
    for test in tests:          # those besides: a failed setUpClass, ...
        suite.append(unittestCaseToXml(result, test, outcomes.get(test, [])))
    return suite, seconds


def unittestCaseToXml(result, test, outcomes):
    """Return the element testcase of one test."""
    name = getattr(test, '_testMethodName', str(test)) + result.parameters
    case = ElementTree.Element('testcase', {
        'classname': type(test).__name__, 'name': name,
        'time': f'{result.duration(test):.3f}'})
    for kind, text in outcomes:
        told = ElementTree.SubElement(case, kind)
        told.set('message', short(text))
        told.text = text
    return case


def short(text):
    """Return the last line of the source in a traceback, and the exception."""
    lines = [line.strip() for line in text.splitlines() if line.strip(' ^~')]
    return '\n'.join(lines[-2:])


def whole_run_to_xml(name, result):
    """Return the element testsuite of a run that failed or was skipped as a whole."""
    failed = isinstance(result, FailResult)
    suite = ElementTree.Element('testsuite', {
        'name': name, 'tests': '1', 'failures': '1' if failed else '0', 'errors': '0',
        'skipped': '0' if failed else '1', 'time': '0'})
    case = ElementTree.SubElement(suite, 'testcase', {
        'classname': name, 'name': 'launch' + result.parameters, 'time': '0'})
    told = ElementTree.SubElement(case, 'failure' if failed else 'skipped')
    told.set('message', result.message if failed else result.skip_reason)
    return suite
