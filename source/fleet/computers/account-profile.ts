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

export function readOnlyMark(
	{ isReadOnly }: Pick<AccountProfile, 'isReadOnly'>,
	profiles: readonly Pick<AccountProfile, 'isReadOnly'>[],
): string {
	return isReadOnly && !profiles.every(profile => profile.isReadOnly) ? ' ro' : '';
}
