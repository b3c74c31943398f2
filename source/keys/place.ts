import type { Picture } from '../operations/path.ts';
import type { Screen } from '../screen/screen.ts';
import { type Place, placeOfView } from './binding.ts';

/** Where a key holds at the moment: what was opened last has it. */
export function placeOf(screen: Screen, { question }: Picture, isPasswordWanted: boolean): Place {
	if (screen.confirmation) return 'confirmation';
	if (isPasswordWanted) return 'question';
	if (question) return 'question';
	if (screen.isWelcoming) return 'welcome';
	if (screen.palette) return 'palette';
	if (screen.columnMenu) return 'columns';
	if (screen.isHelpOpen) return 'help';
	if (screen.isFiltering) return 'line';
	return placeOfView(screen.view);
}
