// The document of `object`, and the arguments of the calls in `tools`.

import { z } from "zod";

// Strict, because a member that is missing here must not be dropped silently.
const Activity = z.strictObject({
  start: z.string(),
  type: z.string(),
  title: z.string(),
  description: z.string(),
  minutes: z.number(),
  cost: z.number(),
  indoor: z.boolean(),
  booking: z.boolean().nullish(),
});

const Day = z.strictObject({
  day: z.number(),
  subtitle: z.string(),
  activities: z.array(Activity),
  lodging: z
    .strictObject({ name: z.string(), stars: z.number(), breakfast: z.boolean() })
    .nullable(),
});

const Budget = z.strictObject({
  currency: z.string(),
  per_day: z.number(),
  buffer: z.number(),
  insurance: z.string().nullable(),
});

export const Itinerary = z.strictObject({
  title: z.string(),
  summary: z.string(),
  travellers: z.number(),
  rail_pass: z.boolean(),
  budget: Budget,
  days: z.array(Day),
  notes: z.array(z.string()),
});

export const FindPlace = z.strictObject({ name: z.string() });
