import { accountSettings } from './account-setting-table.ts';
import { mapReader, tableReader } from './setting-reader.ts';
import { preferenceSettings } from './setting-table.ts';
import {
	oneOfReader,
	readBoolean,
	readCount,
	readProfileNames,
	readShortName,
} from './setting-values.ts';

const secretRefusedText =
	'must not be stored here: use passwordCommand or the environment, or type it when asked';

/** The settings that differ for every profile, so they cannot be set for all profiles at once. */
export const profileSettings = {
	short: {
		explanation:
			'The name of the profile in the column ACCOUNT, at most 8 characters. By default, the\n' +
			'name of the profile is cut.',
		example: '"wk"',
		read: readShortName,
	},
	production: {
		explanation:
			'Whether a person who types a confirmation must type the name of the profile, too.',
		example: 'true',
		read: readBoolean,
	},
	signIn: {
		explanation:
			'How the profile signs in: with a password, or with the token that `crowsnest login --token`\n' +
			'has stored.',
		example: '"token"',
		read: oneOfReader('password', 'token'),
	},
};

/** The settings that apply to all accounts together. */
export const programSettings = {
	profile: {
		explanation: 'The profiles to open by default: one name, or several as in ["work", "lab"].',
		example: '"work"',
		read: readProfileNames,
		variable: 'CROWSNEST_PROFILE' as const,
	},
	maxRequestsPerMinute: {
		explanation:
			'The most requests per minute that all accounts, panes and commands of this machine may send\n' +
			'together, for a platform that counts requests by IP address. By default, each account has\n' +
			'only its own limits.',
		example: '60',
		read: readCount,
	},
};

const readProfile = tableReader(
	{ ...accountSettings, ...profileSettings, ...preferenceSettings },
	{
		password: secretRefusedText,
		token: secretRefusedText,
		passwd: secretRefusedText,
		secret: secretRefusedText,
		maxRequestsPerMinute: 'applies to all accounts together: set it at the top of the file',
		hooks: 'apply to all accounts together: write [[hooks]]',
	},
);

const readProfileTables = mapReader(readProfile);

export const topSettings = {
	...programSettings,
	...preferenceSettings,
	/**
	 * Own commands are read separately, because a mistake in one of them must not make the other settings invalid.
	 */
	commands: { explanation: '', example: '', read: (tables: unknown) => tables },
	/** A mistake in a hook must not make the other settings invalid either. */
	hooks: { explanation: '', example: '', read: (tables: unknown) => tables },
	profiles: {
		explanation: '',
		example: '',
		// A list here is probably meant as a choice of profiles, which is the setting `profile`, so the message names
		// that setting.
		read: ((value, path) =>
			Array.isArray(value)
				? path.reject(
						'must be a table; the profiles to open are set as in profile = ["work", "lab"]',
					)
				: readProfileTables(value, path)) satisfies typeof readProfileTables,
	},
};

const belongsInProfileText = 'belongs in a profile, below a line such as [profiles.work]';

export const readConfig = tableReader(topSettings, {
	password: secretRefusedText,
	token: secretRefusedText,
	short: belongsInProfileText,
	production: belongsInProfileText,
});

export type ConfigValues = NonNullable<ReturnType<typeof readConfig>>;
export type ProfileValues = NonNullable<ReturnType<typeof readProfile>>;
