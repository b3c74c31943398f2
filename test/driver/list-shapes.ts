/**
 * The lists that a story of errors, updates, versions or filters runs with: one that tells everything, and one that tells
 * only what the platform promises, so that the reads of single computers tell the rest.
 */
export const listShapes = ['data', 'minimal'] as const;

export type ListShape = (typeof listShapes)[number];
