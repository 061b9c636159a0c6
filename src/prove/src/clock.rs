//! The time of day, which tests replace.

use std::time::{SystemTime, UNIX_EPOCH};

/// Reads the time.
pub trait Clock: Send + Sync {
    /// Milliseconds since 1970 in UTC.
    fn now(&self) -> u64;
}

/// The clock of the machine.
#[derive(Clone, Copy, Debug, Default)]
pub struct SystemClock;

impl Clock for SystemClock {
    fn now(&self) -> u64 {
        SystemTime::now()
            .duration_since(UNIX_EPOCH)
            .map_or(0, |since| since.as_millis().try_into().unwrap_or(u64::MAX))
    }
}

/// RFC 3339 in UTC with milliseconds, for example `2026-11-18T08:16:28.000Z`.
pub fn rfc3339(milliseconds: u64) -> String {
    let seconds = milliseconds / 1000;
    let (year, month, day) = date(seconds / 86_400);
    format!(
        "{year:04}-{month:02}-{day:02}T{:02}:{:02}:{:02}.{:03}Z",
        seconds / 3600 % 24,
        seconds / 60 % 60,
        seconds % 60,
        milliseconds % 1000
    )
}

/// The date of a day, counted from 1970-01-01. Years start in March, so that a leap day ends one.
fn date(day: u64) -> (u64, u64, u64) {
    const DAYS_OF_400_YEARS: u64 = 146_097;
    let day = day + 719_468;
    let era = day / DAYS_OF_400_YEARS;
    let day_of_era = day % DAYS_OF_400_YEARS;
    let year_of_era =
        (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month_from_march = (5 * day_of_year + 2) / 153;
    let day_of_month = day_of_year - (153 * month_from_march + 2) / 5 + 1;
    let month = if month_from_march < 10 {
        month_from_march + 3
    } else {
        month_from_march - 9
    };
    let year = era * 400 + year_of_era + u64::from(month <= 2);
    (year, month, day_of_month)
}

#[cfg(test)]
mod tests {
    use super::rfc3339;

    #[test]
    fn formats_dates() {
        // From `date -u -d @SECONDS`.
        for (seconds, expected) in [
            (0, "1970-01-01T00:00:00.000Z"),
            (951_782_400, "2000-02-29T00:00:00.000Z"),
            (1_709_251_199, "2024-02-29T23:59:59.000Z"),
            (1_795_000_588, "2026-11-18T11:16:28.000Z"),
            (4_102_444_799, "2099-12-31T23:59:59.000Z"),
        ] {
            assert_eq!(rfc3339(seconds * 1000), expected);
        }
        assert_eq!(rfc3339(1234), "1970-01-01T00:00:01.234Z");
    }
}
