import type { StoreApi } from 'zustand/vanilla';
import type { PasswordRequest } from '../accounts/password-request.ts';
import type { Operations } from '../operations/path.ts';
import type { Screen } from '../screen/screen.ts';

type PostponeDeps = {
	screens: Pick<StoreApi<Screen>, 'getState' | 'subscribe'>;
	operations: Pick<Operations, 'picture' | 'subscribe'>;
};

/**
 * A sign-in may ask for a password at any moment. Its dialog waits until a question, a filter or a menu
 * that is already open is closed: otherwise the rest of what a person types would go into the password.
 */
export function postponedWhileBusy(desk: PasswordRequest, { screens, operations }: PostponeDeps) {
	function isOtherOpen(): boolean {
		const { palette, columnMenu, isFiltering } = screens.getState();
		const { question } = operations.picture();
		return (
			question !== undefined || palette !== undefined || columnMenu !== undefined || isFiltering
		);
	}

	return {
		...desk,
		prompt: () => (isOtherOpen() ? undefined : desk.prompt()),
		subscribe(listener: () => void) {
			const endings = [
				desk.subscribe(listener),
				screens.subscribe(listener),
				operations.subscribe(listener),
			];
			return () => {
				for (const end of endings) end();
			};
		},
	} satisfies PasswordRequest;
}
