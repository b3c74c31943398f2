/** How a person knows an account, and the rules of its profile. */
export type AccountProfile = {
	/** The key of the account in the store. */
	account: string;
	/** The name of the profile. */
	name: string;
	/** A shorter name for the column of accounts. */
	shortName: string;
	/** The colour of the name on the screen. */
	colour?: string | undefined;
	/** Whether every operation on the account is refused. */
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
