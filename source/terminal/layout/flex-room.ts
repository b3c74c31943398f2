/**
 * Whether a length is exact, a maximum or unlimited, with the numbers of Yoga's MeasureMode. An unlimited length is
 * NaN.
 */
export const lengthModes = { unbounded: 0, exact: 1, atMost: 2 } as const;

const { exact, atMost } = lengthModes;

export type LengthMode = (typeof lengthModes)[keyof typeof lengthModes];

/** The room that a node was given, and the size that it took. */
export type Measurement = {
	width: number;
	height: number;
	widthMode: LengthMode;
	heightMode: LengthMode;
	takenWidth: number;
	takenHeight: number;
};

export function isMeasurementFor(
	known: Measurement | undefined,
	width: number,
	height: number,
	widthMode: LengthMode,
	heightMode: LengthMode,
): boolean {
	return (
		known?.widthMode === widthMode &&
		known.heightMode === heightMode &&
		Object.is(known.width, width) &&
		Object.is(known.height, height)
	);
}

/** Whether the size of a node is known without measuring its children. */
export function hasKnownSize(
	width: number,
	height: number,
	widthMode: LengthMode,
	heightMode: LengthMode,
): boolean {
	if (widthMode === exact && heightMode === exact) return true;
	return (widthMode === atMost && width <= 0) || (heightMode === atMost && height <= 0);
}
