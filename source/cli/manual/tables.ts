import type { AccountVariable } from '../../accounts/environment.ts';
import type { folderVariables } from '../../accounts/paths.ts';
import type { FieldName } from '../../fleet/computers/field.ts';
import type { exitCodes } from '../../shell/command.ts';

// The sections of the manual that no command generates. The types of the tables demand an entry for each exit
// code, environment variable and filter field.

export const exitMeanings: Readonly<Record<keyof typeof exitCodes, string>> = {
	done: 'Done.',
	failed: 'The command failed, or failed for some of the computers.',
	usage: 'The command line or the configuration is wrong. Nothing was sent.',
	cancelled: 'A question was answered with no, or the command took longer than --timeout.',
	notSignedIn: 'Not signed in: no account is configured, or its credentials were refused.',
	interrupted: 'Interrupted, for example with Ctrl-C.',
};

type OwnVariableName = AccountVariable | (typeof folderVariables)[keyof typeof folderVariables];

export const environmentMeanings: Readonly<Record<OwnVariableName, string>> &
	Record<string, string> = {
	CROWSNEST_URL: 'The base URL of the platform; ends in /v1.',
	CROWSNEST_AUTH_URL: 'The URL of the identity provider.',
	CROWSNEST_ANON_KEY: 'The key that the identity provider calls apikey.',
	CROWSNEST_EMAIL: 'The e-mail to sign in with.',
	CROWSNEST_PASSWORD: 'The password. It is never stored.',
	CROWSNEST_TOKEN: 'An access token, instead of e-mail and password.',
	CROWSNEST_PROFILE: 'The profile to use when --profile names none.',
	CROWSNEST_CONFIG_DIR: 'The folder of config.toml (default: $XDG_CONFIG_HOME/crowsnest).',
	CROWSNEST_STATE_DIR: 'The folder for state between runs (default: $XDG_STATE_HOME/crowsnest).',
	'HTTPS_PROXY, NO_PROXY': 'The proxy, and the hosts that are reached directly.',
	NODE_EXTRA_CA_CERTS: 'Certificates to trust in addition to those of Node.',
	NO_COLOR: 'Disables colours.',
	'TERM, LANG': 'What the terminal supports: colours and UTF-8.',
};

export const fileMeanings: Readonly<Record<string, string>> = {
	'~/.config/crowsnest/config.toml':
		'Profiles and preferences. `crowsnest config --example` explains every setting.',
	'~/.local/state/crowsnest/journal/': 'Past changes, credits over time and the last known fleet.',
	'~/.local/state/crowsnest/pace/': 'The requests of this host that count against the rate limits.',
	'~/.local/state/crowsnest/tokens/': 'Access tokens, readable only by their owner.',
	'~/.local/state/crowsnest/reports/': 'Crash reports.',
};

export const filterMeanings: Readonly<Record<FieldName, string>> = {
	name: 'The name, or the id of a computer without one.',
	id: 'The id.',
	address: 'The address within the network of the platform.',
	status: 'The status, in plain words or in those of the platform: active, stopped, error.',
	stage: 'The stage of the creation, or the error.',
	version: 'The version of the image. 1.4 means every 1.4.x; < and > compare.',
	uptime: 'The time since the last start: uptime:>4h.',
	cpu: 'CPU use in percent: cpu:>80.',
	memory: 'Memory use in percent.',
	storage: 'Storage use in percent.',
	port: 'A published port.',
	age: 'The time since the computer was created: age:>7d.',
};
