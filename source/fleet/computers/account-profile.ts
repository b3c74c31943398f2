export type AccountProfile = {
	/** The key of the account in the store. */
	account: string;
	name: string;
	shortName: string;
	colour?: string | undefined;
	isReadOnly: boolean;
	/** Whether a person who types a confirmation must type the name of the profile as well. */
	isProduction: boolean;
};

/** Returns the mark behind the name of an account that is read-only, if others of the table can be changed. */
export function readOnlyMark(
	{ isReadOnly }: Pick<AccountProfile, 'isReadOnly'>,
	profiles: readonly Pick<AccountProfile, 'isReadOnly'>[],
): string {
	return isReadOnly && !profiles.every(profile => profile.isReadOnly) ? ' ro' : '';
}
