//! What a campaign's runs will have and take. Cells are counted with the libraries of this
//! machine. Times come from stored runs of the same kind, or else from the profile.

use anyhow::Context as _;

use super::file::{Campaign, Libraries};
use super::plan::Expected;
use crate::adapters::{self, adapter};
use crate::planned;
use crate::profile::{Profile, Selection};
use crate::session::{Slot, discover};
use crate::stats::median;
use crate::store::RunRow;
use crate::wanted::Wanted;

/// A run takes longer than its profile's time, which is for the cells alone: libraries are found
/// and verified, and workers are started anew. This share of the profile's time is assumed for all
/// that if no stored run tells.
const BESIDE: f64 = 0.25;

/// Estimates runs on the machines of a campaign.
pub struct Estimator<'a> {
    campaign: &'a Campaign,
    profiles: &'a [Profile],
    /// The runs of the user's store.
    runs: &'a [RunRow],
    /// The libraries of this machine, with the variants of all profiles.
    slots: Vec<Slot>,
}

impl<'a> Estimator<'a> {
    /// Finds the libraries of this machine.
    ///
    /// # Errors
    ///
    /// If the adapters are not here, or one has a broken manifest.
    pub fn new(
        campaign: &'a Campaign,
        profiles: &'a [Profile],
        runs: &'a [RunRow],
    ) -> anyhow::Result<Self> {
        let masks = profiles.iter().flat_map(Profile::masks).collect();
        let all = adapters::manifests(&adapters::folder()?)?;
        Ok(Self {
            campaign,
            profiles,
            runs,
            slots: discover(adapters::with_masks(all, &masks)),
        })
    }

    /// Estimates a run of a profile with a set of libraries.
    ///
    /// # Errors
    ///
    /// If the campaign has no such profile or set, or the set names a library that no adapter is
    /// for.
    pub fn expect(&self, profile: &str, set: &str) -> anyhow::Result<Expected> {
        let mut profiles = self.profiles.iter();
        let profile = profiles.find(|known| known.name == profile);
        let profile = profile.context("no such profile")?;
        let mut sets = self.campaign.libraries.iter();
        let set = sets.find(|known| known.name == set);
        let set = set.context("no such set of libraries")?;
        let (seconds, basis) = seconds(self.campaign, profile, set, self.runs);
        Ok(Expected {
            cells: self.cells(profile, set)?,
            seconds,
            basis,
        })
    }

    fn cells(&self, profile: &Profile, set: &Libraries) -> anyhow::Result<u64> {
        let slots = self.libraries(set)?;
        let offers = slots.iter().flat_map(|slot| &slot.offers);
        let offered: Vec<(&str, &str)> = offers
            .map(|offer| (&*offer.primitive, &*offer.operation))
            .collect();
        let selection = Selection {
            algorithms: match &self.campaign.algorithm {
                Some(text) => Some(text.parse::<Wanted>()?.among(offered)),
                None => None,
            },
            ..Selection::default()
        };
        let tasks = planned::tasks(profile, &selection, &slots);
        Ok(planned::cells(profile, &selection, &slots, &tasks))
    }

    /// Returns the libraries of a set, each as this machine's library of the same adapter: the
    /// set's objects and trees may be on the machines alone.
    fn libraries(&self, set: &Libraries) -> anyhow::Result<Vec<&Slot>> {
        let present = || self.slots.iter().filter(|slot| slot.present());
        let trees = set.roots.len();
        let mut chosen = Vec::new();
        if set.chosen.is_empty() && set.builds.is_empty() {
            for slot in present() {
                let in_trees = !slot.candidate.manifest.packages.apt.is_empty();
                let times = 1 + if in_trees { trees } else { 0 };
                chosen.extend(std::iter::repeat_n(slot, times));
            }
            return Ok(chosen);
        }
        let builds = set.builds.iter().map(|build| build.library.as_str());
        let wishes = set.chosen.iter().map(String::as_str);
        // Names are checked as the run itself checks them.
        let all = adapters::manifests(&adapters::folder()?)?;
        for wish in wishes.chain(builds) {
            let (name, object) = wish.split_once('=').unwrap_or((wish, ""));
            adapters::select(all.clone(), &[adapter(name).to_owned()], &[])?;
            let named = |slot: &&Slot| {
                slot.candidate.adapter.eq_ignore_ascii_case(adapter(name))
                    && (slot.candidate.everywhere || object.is_empty())
            };
            let times = match (object, name.contains('@')) {
                ("", false) => 1 + trees,
                _ => 1,
            };
            for slot in present().filter(named) {
                chosen.extend(std::iter::repeat_n(slot, times));
            }
        }
        Ok(chosen)
    }
}

/// Returns the expected seconds of a run, and where they come from.
pub fn seconds(
    campaign: &Campaign,
    profile: &Profile,
    set: &Libraries,
    runs: &[RunRow],
) -> (f64, String) {
    let alike = |run: &&RunRow| {
        run.complete
            && run.profile_text == profile.text
            && run.plan.algorithm == campaign.algorithm
            && run.plan.roots.len() == set.roots.len()
            && run.plan.libraries.len() == set.chosen.len() + set.builds.len()
            && !run.plan.chooses_cells()
    };
    let measured: Vec<f64> = runs.iter().filter(alike).map(|run| run.seconds).collect();
    if measured.is_empty() {
        let seconds = profile.time(set.roots.len()).as_secs_f64() * (1.0 + BESIDE);
        return (seconds, "the profile's time and a quarter".into());
    }
    let runs = match measured.len() {
        1 => "1 stored run".to_owned(),
        n => format!("{n} stored runs"),
    };
    (median(&measured), runs)
}
