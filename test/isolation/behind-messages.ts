// Imported first: the worlds of the tests that come after it have their agents behind messages.
process.env['HOLDFAST_TEST_ISOLATION'] = '1';
