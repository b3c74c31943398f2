import type { variables } from '../../accounts/environment.ts';
import type { FieldName } from '../../fleet/field.ts';
import type { exitCodes } from '../../shell/command.ts';

// What a manual tells beside the commands. Each is typed by what the program really knows.

export const exitMeanings: Readonly<Record<keyof typeof exitCodes, string>> = {
	done: 'Done.',
	failed: 'It failed, or did so for some of the computers.',
	usage: 'The command line or the configuration is wrong. Nothing was done.',
	cancelled: 'The question was answered with no, or the time of --timeout was over.',
	notSignedIn: 'Nobody is signed in: no account is configured, or its credentials are refused.',
	interrupted: 'Interrupted, as by Ctrl-C.',
};

type OwnVariable = (typeof variables)[keyof typeof variables];

export const environmentMeanings: Readonly<Record<OwnVariable, string>> & Record<string, string> = {
	CROWSNEST_URL: 'Where the platform answers; ends in /v1.',
	CROWSNEST_AUTH_URL: 'Where the identity provider answers.',
	CROWSNEST_ANON_KEY: 'The key that the identity provider calls apikey.',
	CROWSNEST_EMAIL: 'Who signs in.',
	CROWSNEST_PASSWORD: 'The password. It is never written down.',
	CROWSNEST_TOKEN: 'An access token, in the place of e-mail and password.',
	CROWSNEST_PROFILE: 'The profile to use when --profile names none.',
	CROWSNEST_CONFIG_DIR: 'Where config.toml lies. Else $XDG_CONFIG_HOME/crowsnest.',
	CROWSNEST_STATE_DIR: 'What is kept between runs. Else $XDG_STATE_HOME/crowsnest.',
	'HTTPS_PROXY, NO_PROXY': 'The proxy, and for which hosts there is none.',
	NODE_EXTRA_CA_CERTS: 'Certificates to trust beside those that Node knows.',
	NO_COLOR: 'Without colours.',
	'TERM, LANG': 'What the terminal can show.',
};

export const fileMeanings: Readonly<Record<string, string>> = {
	'~/.config/crowsnest/config.toml':
		'Profiles and preferences. `crowsnest config --example` explains every setting.',
	'~/.local/state/crowsnest/journal/':
		'The journal, the credits over time and the last known fleet.',
	'~/.local/state/crowsnest/pace/':
		'What was spent of the rate limits, for all runs on this host together.',
	'~/.local/state/crowsnest/tokens/': 'Access tokens, which only their owner can read.',
	'~/.local/state/crowsnest/reports/': 'Reports of crashes.',
};

export const filterMeanings: Readonly<Record<FieldName, string>> = {
	name: 'Its name, or its id when it has none.',
	id: 'Its id.',
	address: 'Its address within the network of the platform.',
	status: 'What it is, in plain words or those of the platform: active, stopped, error.',
	stage: 'The stage of its creation, or its error.',
	version: 'Of its image. 1.4 means every 1.4.x; < and > compare.',
	uptime: 'How long it has been running: uptime:>4h.',
	cpu: 'In percent: cpu:>80.',
	memory: 'In percent.',
	storage: 'In percent.',
	port: 'A port that it publishes.',
	age: 'Since its creation: age:>7d.',
};
