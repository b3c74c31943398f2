import { readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { refusePublicStateFolder, writePrivately } from '../accounts/private-file.ts';
import type { Clock } from '../foundation/clock.ts';
import type { KeptPicture } from '../terminal/picture/kept-picture.ts';
import { type Picture, pictureNamePattern, pictureText } from '../terminal/picture/picture-file.ts';
import type { ComposePicture } from '../views/screen-props.ts';
import type { SavedScreen } from './screen-persistence.ts';

/** The first picture is kept soon, because a process that is killed keeps none at its end. */
const firstAfterMs = 2000;
const intervalMs = 60_000;

/** Pictures of command lines and sizes that are not used any more are removed after this time. */
const lifetimeMs = 7 * 24 * 60 * 60_000;

type PictureKeeperOptions = {
	kept: KeptPicture;
	/** What the next start restores of the screen. */
	savedLook: () => SavedScreen;
	terminalSize: () => { columns: number; rows: number };
	clock: Clock;
};

/**
 * Keeps the picture that the next start shows first. Nothing is kept while a person looks at something else than the
 * top of the table, because the next start shows the top. If that leaves a picture with another order or filter than
 * the next start has, the picture is removed at the end.
 */
export function createPictureKeeper(options: PictureKeeperOptions) {
	const { kept, savedLook, terminalSize, clock } = options;
	const lookNow = () => JSON.stringify(savedLook());
	let keptLook = lookNow();
	let compose: ComposePicture | undefined;
	let cancelTimer: (() => void) | undefined;
	let hasKept = false;
	let isEnded = false;

	function keep() {
		if (!compose) return;
		const { columns, rows, ...picture } = compose();
		try {
			refusePublicStateFolder(kept.folder);
			const place = kept.placeFor(columns, rows);
			const text = pictureText(place, picture satisfies Picture);
			// Nothing is lost if the host crashes before the picture is on the disk, so no key waits for the disk.
			writePrivately(place.path, text, { isFlushed: false });
			if (!hasKept) removeOldPictures(kept.folder, clock.now() - lifetimeMs);
			hasKept = true;
			keptLook = lookNow();
		} catch {
			// Without a picture, the next start shows its first frame a moment later.
		}
	}

	function removePicture() {
		const { columns, rows } = terminalSize();
		try {
			rmSync(kept.placeFor(columns, rows).path, { force: true });
		} catch {
			// The next start shows the earlier picture for a moment.
		}
	}

	function wait(milliseconds: number) {
		cancelTimer = clock.after(milliseconds, () => {
			keep();
			wait(intervalMs);
		});
	}

	return {
		/** Must be called after each frame; with undefined if the frame does not show the top of the table. */
		onDrawn(next: ComposePicture | undefined) {
			if (isEnded) return;
			compose = next;
			if (next && !cancelTimer) wait(firstAfterMs);
		},
		/** Must be called when an account is added or taken away: the next start may open other accounts than these. */
		end() {
			isEnded = true;
			compose = undefined;
			cancelTimer?.();
		},
		close() {
			cancelTimer?.();
			if (compose) keep();
			else if (lookNow() !== keptLook) removePicture();
			compose = undefined;
		},
	};
}

function removeOldPictures(folder: string, before: number) {
	for (const name of readdirSync(folder)) {
		const path = join(folder, name);
		if (pictureNamePattern.test(name) && statSync(path).mtimeMs < before) rmSync(path);
	}
}
