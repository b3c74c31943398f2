import { expect, test } from 'vitest';
import { withDefaultProfile, withProfile } from '../../source/accounts/config-edit.ts';

const values = {
	url: 'https://api.example.com/v1',
	authUrl: 'https://id.example.com',
	anonKey: 'key"with\\signs',
	email: 'owner@example.com',
};

const section = `[profiles.work]
url = "https://api.example.com/v1"
authUrl = "https://id.example.com"
anonKey = "key\\"with\\\\signs"
email = "owner@example.com"
`;

test('the configuration editor adds a new profile at the end of the configuration, and changes nothing else', () => {
	expect(withProfile('', 'work', values)).toBe(section);
	expect(withProfile('# mine\nreadOnly = true # yes\n\n\n', 'work', values)).toBe(
		`# mine\nreadOnly = true # yes\n\n${section}`,
	);
	const dotted = withProfile('', 'eu.west', values);
	expect(dotted).toContain('[profiles."eu.west"]');
});

test('the configuration editor changes the settings of an existing profile in place', () => {
	const text = `# top
[profiles.other]
url = "https://other.example/v1" # not this one

[profiles.work] # the one
colour = "red"
url = "https://old.example/v1"
keys = [
  # none yet
]
# of the identity provider
anonKey = "old"

[profiles.work.confirm]
url = 1
`;
	expect(withProfile(text, 'work', values)).toBe(`# top
[profiles.other]
url = "https://other.example/v1" # not this one

[profiles.work] # the one
colour = "red"
url = "https://api.example.com/v1"
keys = [
  # none yet
]
# of the identity provider
anonKey = "key\\"with\\\\signs"
authUrl = "https://id.example.com"
email = "owner@example.com"

[profiles.work.confirm]
url = 1
`);
});

test('the configuration editor does not edit a configuration that the edit would make invalid', () => {
	expect(withProfile('profiles = { work = { url = "x" } }', 'work', values)).toBeUndefined();
	expect(withProfile('profiles.work.url = "x"', 'work', values)).toBeUndefined();
	expect(withProfile('profiles = 3', 'work', values)).toBeUndefined();
});

test.each([
	['[profiles.lab]\nurl = "x"\n', 'profile = "lab"\n\n[profiles.lab]\nurl = "x"\n'],
	['profile = "work"\nmouse = true\n', 'profile = "lab"\nmouse = true\n'],
	['profile = [\n"a",\n"b",\n]\n[profiles.a]\n', 'profile = "lab"\n[profiles.a]\n'],
])(
	'in the configuration %j, the default profile is set without changing the rest',
	(before, after) => {
		expect(withDefaultProfile(before, 'lab')).toBe(after);
	},
);
