"""The document of `object`, and the arguments of the calls in `tools`."""

from pydantic import BaseModel, ConfigDict


class Strict(BaseModel):
    # A member that is missing here must not be dropped silently.
    model_config = ConfigDict(extra="forbid")

    def written(self):
        """The value as JSON, with the members that the reply has."""
        return self.model_dump(mode="json", exclude_unset=True)


class Activity(Strict):
    start: str
    type: str
    title: str
    description: str
    minutes: int
    cost: int | float
    indoor: bool
    booking: bool | None = None


class Lodging(Strict):
    name: str
    stars: float
    breakfast: bool


class Day(Strict):
    day: int
    subtitle: str
    activities: list[Activity]
    lodging: Lodging | None


class Budget(Strict):
    currency: str
    per_day: int
    buffer: float
    insurance: str | None


class Itinerary(Strict):
    title: str
    summary: str
    travellers: int
    rail_pass: bool
    budget: Budget
    days: list[Day]
    notes: list[str]


class FindPlace(Strict):
    name: str
