import type { SettingsPatchBody } from '@meridian/contract/settings';

interface Question {
  title: string;
  body: string;
}

export interface ServiceFlag {
  name: 'is_closed_beta' | 'is_service_suspended';
  label: string;
  description: string;
  patch: (isOn: boolean) => SettingsPatchBody;
  turnOn: Question;
  turnOff: Question;
}

/** The service-wide switches, and what each of them does to all users. */
export const SERVICE_FLAGS: readonly ServiceFlag[] = [
  {
    name: 'is_closed_beta',
    label: 'Closed beta',
    description:
      'When on, only users with access keywords can use the service. Existing users are unaffected.',
    patch: (isOn) => ({ is_closed_beta: isOn }),
    turnOn: {
      title: 'Start Closed Beta',
      body: 'Closed beta: only users with access keywords can use the service; existing users are unaffected.',
    },
    turnOff: {
      title: 'End Closed Beta',
      body: 'Everyone can use the service again, with or without an access keyword.',
    },
  },
  {
    name: 'is_service_suspended',
    label: 'Service suspension',
    description: "When on, users can't access the service and scheduled posts aren't executed.",
    patch: (isOn) => ({ is_service_suspended: isOn }),
    turnOn: {
      title: 'Suspend Service',
      body: 'Suspension: all users cannot access the service and scheduled posts are not executed.',
    },
    turnOff: {
      title: 'Resume Service',
      body: 'All users can access the service again and scheduled posts are executed.',
    },
  },
];
