/** The one account that the simulated platform knows. */
export const demoAccount = {
	email: 'owner@example.com',
	password: 'lookout',
	anonKey: 'anon-key-of-the-demo',
	userId: '6f1d2c9a-0c1e-4f57-9a53-2b8f0f3c7d11',
} as const;

/** Another person's computer, to which access is denied. */
export const strangersComputer = 'sb_strangers0001';
